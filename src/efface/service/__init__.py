"""The service: documents opened over HTTP as each viewer may see them, with an audit trail."""
