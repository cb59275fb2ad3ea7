/* kanon: trie codes of zip */
CREATE TABLE "kanon_codes_zip" AS
SELECT
  ground,
  CAST(digit_0 * CAST(1 AS BIGINT) + digit_1 * CAST(8 AS BIGINT) AS BIGINT) AS code_0
FROM "kanon_digits_zip"
