"""Names that stand in fields: forms, tables, lists of people, keys of JSON and XML."""
