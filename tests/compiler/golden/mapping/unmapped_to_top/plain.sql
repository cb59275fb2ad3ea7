/* kanon: unmapped values of age at the top */
INSERT INTO "kanon_map_age"
SELECT
  s."age",
  '*',
  '*',
  '*',
  '*'
FROM "warehouse"."main"."patients" AS s
LEFT JOIN "kanon_map_age" AS t
  ON s."age" = t.ground
WHERE
  NOT s."age" IS NULL AND t."level_3" IS NULL
GROUP BY
  s."age"
