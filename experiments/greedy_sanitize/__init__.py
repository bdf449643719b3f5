"""GreedySanitize on person names: the paper's Figures 3 to 8 again, on data that may be had."""
