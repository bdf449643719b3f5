"""The routes of Presidio's analyzer and anonymizer, for clients that were written for those."""
