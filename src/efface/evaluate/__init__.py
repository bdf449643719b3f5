"""How well finders find: gold standards in the usual formats, the usual measures, and a paired test."""
