"""Reports: the reviewer's, which holds originals, and the certificate, which may be published."""
