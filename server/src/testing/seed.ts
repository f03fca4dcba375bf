/*
 * Seeds fast-check, so that generated tests are the same on every machine and a failure is caused by the tested change.
 * Set PARLEY_GENERATED_SEED for another seed; failures print the seed and the path.
 */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env['PARLEY_GENERATED_SEED'] ?? 1) })
