"""Files that hold many documents: archives, mailboxes, tables."""
