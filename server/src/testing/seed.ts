/*
 * What tests generate with fast-check is the same on every machine, so that a run says something of the change it tests.
 * PARLEY_GENERATED_SEED is another beginning: a difference is printed with the seed and the path to it.
 */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env['PARLEY_GENERATED_SEED'] ?? 1) })
