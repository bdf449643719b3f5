"""The Word task pane: manifests, and a pane that uses the page's own modules through Office.js."""
