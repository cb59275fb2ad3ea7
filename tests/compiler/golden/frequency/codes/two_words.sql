/* kanon: trie codes of age */
CREATE TABLE "kanon_codes_age" AS
SELECT
  ground,
  CAST(digit_0 * CAST(1 AS BIGINT) AS BIGINT) AS code_0,
  CAST(digit_1 * CAST(1 AS BIGINT) + digit_2 * CAST(16 AS BIGINT) AS BIGINT) AS code_1
FROM "kanon_digits_age"
