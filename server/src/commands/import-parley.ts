import { parseCommand, type Command } from './command.ts'
import { importFrom, importOptions, IMPORT_USAGE } from './importing.ts'

export const importParley: Command = {
  usage: `Usage: parley import parley DIR [--dry-run] [--skip-damaged-files] [--json] [--organization SUBDOMAIN]

Create an organization from an archive made by \`parley export\`. IDs and links to messages stay valid. The organization is
invisible until the import is complete. After a crash or Ctrl-C, run the command again to continue. Archives can come from
untrusted sources: invalid records are skipped and listed. An archive with missing or damaged files is rejected before
anything is stored.

  --skip-damaged-files       import without missing or damaged uploads and pictures, and list them
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
