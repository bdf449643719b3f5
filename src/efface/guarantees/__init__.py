"""The guarantees. Each can assess a reading and plan edits; `abilities` declares what else one may do."""
