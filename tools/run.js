import { spawn } from 'node:child_process'

/**
 * @param {string} command @param {readonly string[]} args @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>} exit code
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options })
    // Forwards SIGTERM; Ctrl-C reaches the child directly.
    const stop = () => void child.kill('SIGTERM')
    process.once('SIGTERM', stop)
    child.once('error', reject)
    child.once('exit', (code) => {
      process.removeListener('SIGTERM', stop)
      resolve(code ?? 1)
    })
  })
}
