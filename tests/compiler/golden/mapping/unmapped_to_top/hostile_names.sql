/* kanon: unmapped values of select at the top */
INSERT INTO "kanon_map_select"
SELECT
  s."select",
  '*',
  '*',
  '*'
FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
LEFT JOIN "kanon_map_select" AS t
  ON s."select" = t.ground
WHERE
  NOT s."select" IS NULL AND t."level_2" IS NULL
GROUP BY
  s."select"
