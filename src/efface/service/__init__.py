"""The service: documents opened over HTTP as each reader may see them, with an audit trail."""
