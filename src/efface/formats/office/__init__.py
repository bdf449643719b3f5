"""Office files: Word, Excel, PowerPoint and OpenDocument text, sheets and slides."""

from __future__ import annotations

from efface.formats.office.docx import DOCX
from efface.formats.office.excel.xlsx import XLSX
from efface.formats.office.odf import ODP, ODS, ODT
from efface.formats.office.pptx import PPTX

__all__ = ["DOCX", "ODP", "ODS", "ODT", "PPTX", "XLSX"]
