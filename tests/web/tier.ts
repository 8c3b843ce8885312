/** True for the whole set of tests (`COFFER_TEST_WHOLE=1`), false for the daily one. */
export const IS_WHOLE = process.env.COFFER_TEST_WHOLE === "1";
