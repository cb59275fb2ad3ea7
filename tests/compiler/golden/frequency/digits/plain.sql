/* kanon: trie digits of age */
CREATE TABLE "kanon_digits_age" AS
WITH above AS (
  SELECT
    level_1,
    DENSE_RANK() OVER (PARTITION BY level_2 ORDER BY level_1) - 1 AS digit_1,
    DENSE_RANK() OVER (PARTITION BY level_3 ORDER BY level_2) - 1 AS digit_2
  FROM (
    SELECT DISTINCT
      "level_1" AS level_1,
      "level_2" AS level_2,
      "level_3" AS level_3
    FROM "kanon_map_age"
  ) AS paths
)
SELECT
  t."level_0" AS ground,
  DENSE_RANK() OVER (PARTITION BY t."level_1" ORDER BY t."level_0") - 1 AS digit_0,
  a.digit_1,
  a.digit_2
FROM "kanon_map_age" AS t
JOIN above AS a
  ON t."level_1" IS NOT DISTINCT FROM a.level_1
