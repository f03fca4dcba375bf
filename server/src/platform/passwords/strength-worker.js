/* Thread that estimates the strength of passwords, each in up to 0.1 s. Written in JavaScript so Node 20 can run it. */
import { parentPort } from 'node:worker_threads'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** Only this many characters are considered, because the time grows much faster than the length. */
const MAX_COUNTED_CHARACTERS = 32

const estimator = new ZxcvbnFactory({ graphs: adjacencyGraphs, dictionary, maxLength: MAX_COUNTED_CHARACTERS })

parentPort?.on('message', (/** @type {import('./strength.ts').EstimateRequest} */ { password, knownTexts }) => {
  const { guesses, sequence } = estimator.check(password, [...knownTexts])
  parentPort?.postMessage({ guesses, parts: sequence.map(({ pattern, dictionaryName }) => dictionaryName ?? pattern) })
})
