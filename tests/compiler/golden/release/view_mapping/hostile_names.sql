CREATE OR REPLACE TABLE "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS
SELECT
  *
FROM "ware house"."s"""."kanon_map_zip"
