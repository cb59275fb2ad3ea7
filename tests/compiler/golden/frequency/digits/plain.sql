/* kanon: trie digits of age */
CREATE TABLE "kanon_digits_age" AS
SELECT
  "level_0" AS ground,
  DENSE_RANK() OVER (PARTITION BY "level_1" ORDER BY "level_0") - 1 AS digit_0,
  DENSE_RANK() OVER (PARTITION BY "level_2" ORDER BY "level_1") - 1 AS digit_1,
  DENSE_RANK() OVER (PARTITION BY "level_3" ORDER BY "level_2") - 1 AS digit_2
FROM "kanon_map_age"
