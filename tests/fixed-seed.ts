/**
 * Makes property tests draw the same values in each run, so that no run fails by chance. FAST_CHECK_SEED sets another
 * seed.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 1) });
