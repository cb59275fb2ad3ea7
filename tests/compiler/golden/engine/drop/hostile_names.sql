DROP TABLE IF EXISTS "kanon_map_t""; drop table patients; --"
