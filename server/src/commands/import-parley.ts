import { parseCommand, type Command } from './command.ts'
import { importFrom, importOptions, IMPORT_USAGE } from './importing.ts'

export const importParley: Command = {
  usage: `Usage: parley import parley DIR [--dry-run] [--skip-damaged-files] [--json] [--organization SUBDOMAIN]

Makes a new organization of an archive that \`parley export\` wrote. Ids stay what they were, so links to messages go on leading there.
Nobody finds the organization before it is complete; after a crash, or Ctrl-C, the same command goes on where it was. Archives may come from
anywhere: what is not right in one is left out and told. One that is damaged, of which a file is missing or is not as it was written, is refused before
anything is stored.

  --skip-damaged-files       imports it without the uploaded files and pictures that are missing or damaged, and tells which
${IMPORT_USAGE}`,

  async run(args, terminal) {
    const { positionals, values } = parseCommand(args, ['DIR'], {
      ...importOptions,
      'skip-damaged-files': { type: 'boolean', default: false },
    })
    const [folder = ''] = positionals
    await importFrom(terminal, folder, values)
  },
}
