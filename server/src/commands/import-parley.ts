import { parseCommand, type Command } from './command.ts'
import { importFrom, importOptions, IMPORT_USAGE } from './importing.ts'

export const importParley: Command = {
  usage: `Usage: parley import parley DIR [--dry-run] [--json] [--organization SUBDOMAIN]

Makes a new organization of an archive that \`parley export\` wrote. Ids stay what they were, so links to messages go on leading there.
Nobody finds the organization before it is complete; after a crash, or Ctrl-C, the same command goes on where it was. Archives may come from
anywhere: what is not right in one is left out and told.

${IMPORT_USAGE}`,

  async run(args, terminal) {
    const { positionals, values } = parseCommand(args, ['DIR'], importOptions)
    const [folder = ''] = positionals
    await importFrom(terminal, folder, values)
  },
}
