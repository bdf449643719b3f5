"""What holds for mentions of one type only: where a date or a firm ends, and what is no date."""
