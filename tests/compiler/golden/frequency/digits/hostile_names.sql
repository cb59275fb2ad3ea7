/* kanon: trie digits of a”b */
CREATE TABLE "kanon_digits_a""b" AS
WITH above AS (
  SELECT
    level_1,
    DENSE_RANK() OVER (PARTITION BY level_2 ORDER BY level_1) - 1 AS digit_1
  FROM (
    SELECT DISTINCT
      "level_1" AS level_1,
      "level_2" AS level_2
    FROM "kanon_map_a""b"
  ) AS paths
)
SELECT
  t."level_0" AS ground,
  DENSE_RANK() OVER (PARTITION BY t."level_1" ORDER BY t."level_0") - 1 AS digit_0,
  a.digit_1
FROM "kanon_map_a""b" AS t
JOIN above AS a
  ON t."level_1" IS NOT DISTINCT FROM a.level_1
