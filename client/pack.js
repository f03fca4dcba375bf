/* `npm run client` packs the typed client into `dist`: one module without imports, and types without schemas. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { prepare, ROOT } from '../tools/prepare.js'
import { run } from '../tools/run.js'
import { buildClient } from './build.js'
import { contractTypes } from './pack/contract-types.js'
import { clientDeclarations } from './pack/declarations.js'

const CLIENT_FOLDER = import.meta.dirname

/** @param {string} root repository root @param {string} folder output folder, which is emptied first */
export async function packageClient(root, folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  /** @param {string} name @param {string} text */
  const write = (name, text) => writeFileSync(join(folder, name), text)
  write('index.js', await buildClient(root, { minify: false }))
  for (const [name, text] of await clientDeclarations(root)) {
    write(`${name}.d.ts`, name === 'index' ? `${text}export * from "./contract.js";\n` : text)
  }
  write('contract.d.ts', contractTypes(await loadContract(root)))
  cpSync(join(CLIENT_FOLDER, 'pack/types.d.ts'), join(folder, 'types.d.ts'))
  cpSync(join(CLIENT_FOLDER, 'README.md'), join(folder, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  write('package.json', `${JSON.stringify(packageManifest(), undefined, 2)}\n`)
}

function packageManifest() {
  const { name, version, description, license, engines } = JSON.parse(
    readFileSync(join(CLIENT_FOLDER, 'package.json'), 'utf8'),
  )
  return {
    name,
    version,
    description,
    license,
    engines,
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
  }
}

/** @param {string} root @returns {Promise<import('./pack/contract-types.js').Contract>} */
async function loadContract(root) {
  // Bundles the sources, because Node cannot run them.
  /** @type {typeof import('esbuild')} */
  const esbuild = createRequire(join(root, 'package.json'))('esbuild')
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['server/src/contract.ts'],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2023',
    logLevel: 'warning',
  })
  const code = outputFiles.map(({ text }) => text).join('')
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
}

if (import.meta.filename === process.argv[1]) {
  await prepare({ build: false })
  const folder = join(ROOT, 'dist/client')
  await packageClient(ROOT, folder)
  process.exitCode = await run('npm', ['pack', '--pack-destination', join(ROOT, 'dist')], { cwd: folder })
}
