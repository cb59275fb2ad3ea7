COUNT(*) < 5
