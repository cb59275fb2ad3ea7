"""Reports: what a person sees in the terminal. JSON comes from the results themselves."""
