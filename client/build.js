/*
 * Bundles the typed client for browsers. At run time, it needs only an endpoint's method and path and an event's
 * `apply` function, so `removeSchemasPlugin` removes schemas from the declarations, and tree shaking drops zod. `node
 * client/build.js FILE` writes the client and all declarations as one module.
 */
import { realpathSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import { eventsModule, fullClientModule, importByCapability } from './build/contract.js'
import { keepClientFields } from './build/small.js'
import { createSourceReader } from './build/source.js'

/** @param {string} root */
function serverPaths(root) {
  // Resolves symbolic links, because esbuild reports real paths.
  const clone = realpathSync(root)
  const server = join(clone, 'server/src')
  return {
    server: server + sep,
    contract: join(server, 'contract.ts'),
    client: join(clone, 'client/src/index.ts'),
    events: join(clone, 'client/src/events.ts'),
  }
}

/** Removes all schemas, or fails the build. @param {string} root repository root @returns {import('esbuild').Plugin} */
export function removeSchemasPlugin(root) {
  return {
    name: 'without-schemas',
    async setup(build) {
      const { server, contract, events } = serverPaths(root)
      const read = await createSourceReader()
      build.initialOptions.metafile = true
      build.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        if (/[\\/]node_modules[\\/]/.test(path)) return undefined
        const loader = path.endsWith('x') ? 'tsx' : 'ts'
        if (path === events) return { contents: eventsModule(read, contract), loader }
        if (path.startsWith(server)) return { contents: keepClientFields(read(path)), loader }
        return { contents: importByCapability(read, read(path), contract), loader }
      })
      build.onEnd(({ metafile }) => ({ errors: metafile === undefined ? [] : outputsWithSchemas(metafile) }))
    },
  }
}

/** @param {import('esbuild').Metafile} metafile */
function outputsWithSchemas({ outputs }) {
  return Object.entries(outputs).flatMap(([output, { inputs }]) => {
    const bytes = Object.entries(inputs)
      .filter(([path]) => path.includes('node_modules/zod/'))
      .reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0)
    if (bytes === 0) return []
    const text = `${output} contains schemas (${bytes} bytes of zod), because a constant of a contract needs them.`
    return [{ text }]
  })
}

/** Bundles the client and all declarations. @param {string} root @param {{ minify?: boolean }} [options] */
export async function buildClient(root, { minify = true } = {}) {
  /** @type {typeof import('esbuild')} */
  const esbuild = createRequire(join(root, 'package.json'))('esbuild')
  const { contract, client } = serverPaths(root)
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    stdin: { contents: fullClientModule(await createSourceReader(), contract, client), resolveDir: root, loader: 'ts' },
    plugins: [removeSchemasPlugin(root)],
    bundle: true,
    write: false,
    minify,
    format: 'esm',
    target: 'es2023',
    legalComments: 'none',
    logLevel: 'warning',
  })
  return outputFiles.map(({ text }) => text).join('')
}

if (import.meta.filename === process.argv[1]) {
  const [, , file = ''] = process.argv
  writeFileSync(file, await buildClient(join(import.meta.dirname, '..')))
}
