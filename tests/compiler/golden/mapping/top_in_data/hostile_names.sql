/* kanon: top label of a”b in the data */
SELECT
  COUNT(*) AS row_count
FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
WHERE
  CAST(s."a""b" AS TEXT) = '*'
  AND NOT EXISTS(
    SELECT
      1
    FROM "kanon_map_a""b" AS t
    WHERE
      t."level_0" = s."a""b"
  )
