/* kanon: trie digits of a”b */
CREATE TABLE "kanon_digits_a""b" AS
SELECT
  "level_0" AS ground,
  DENSE_RANK() OVER (PARTITION BY "level_1" ORDER BY "level_0") - 1 AS digit_0,
  DENSE_RANK() OVER (PARTITION BY "level_2" ORDER BY "level_1") - 1 AS digit_1
FROM "kanon_map_a""b"
