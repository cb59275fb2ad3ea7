DROP VIEW IF EXISTS "kanon_t""; drop table patients; --"
