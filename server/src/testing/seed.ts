/*
 * Makes generated tests the same on every machine. Set PARLEY_GENERATED_SEED for another seed; failures print the seed
 * and the path.
 */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env['PARLEY_GENERATED_SEED'] ?? 1) })
