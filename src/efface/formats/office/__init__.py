"""Office files: Word, Excel, PowerPoint and OpenDocument text and sheets."""

from __future__ import annotations

from efface.formats.office.docx import DOCX
from efface.formats.office.odf import ODS, ODT
from efface.formats.office.pptx import PPTX
from efface.formats.office.xlsx import XLSX

__all__ = ["DOCX", "ODS", "ODT", "PPTX", "XLSX"]
