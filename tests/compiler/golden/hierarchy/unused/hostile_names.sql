/* kanon: ground values of a”b that no row holds */
SELECT
  COUNT(*) AS unused
FROM "kanon_map_a""b" AS t
WHERE
  NOT t."level_0" IS NULL
  AND NOT EXISTS(
    SELECT
      1
    FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
    WHERE
      s."a""b" = t."level_0"
  )
