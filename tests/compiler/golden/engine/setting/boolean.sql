SET enable_progress_bar = TRUE
