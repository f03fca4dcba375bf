/*
 * The thread in which passwords are estimated, each for up to a tenth of a second. It is JavaScript, since Node runs it as it
 * is.
 */
import { parentPort } from 'node:worker_threads'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** How much counts of a password: the time grows much faster than its length. */
const MAX_COUNTED = 32

const estimator = new ZxcvbnFactory({ graphs: adjacencyGraphs, dictionary, maxLength: MAX_COUNTED })

parentPort?.on('message', (/** @type {import('./strength.ts').Estimate} */ { password, knownTexts }) => {
  parentPort?.postMessage(estimator.check(password, [...knownTexts]).guesses)
})
