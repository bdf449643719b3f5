"""What an attacker knows."""
