DROP TABLE IF EXISTS "kanon_map_age"
