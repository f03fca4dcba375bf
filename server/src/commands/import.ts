import { mattermost } from '../converting/mattermost/read.ts'
import { slack } from '../converting/slack/read.ts'
import { zulip } from '../converting/zulip/read.ts'
import { parseCommand, type Command } from './command.ts'
import { convertAndImport, CONVERTING_USAGE } from './converting.ts'
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

export const importSlack: Command = {
  usage: `Usage: parley import slack ARCHIVE [--dry-run] [--ids FILE] [--json] [--name NAME] [--organization SUBDOMAIN]

Create an organization from a Slack export: the ZIP archive or its unpacked folder. Channel messages go to the channel's
general chat, and each thread becomes a topic named after its first words. Everything is marked as read for everyone.

${CONVERTING_USAGE}`,

  async run(args, terminal) {
    await convertAndImport(slack, args, terminal)
  },
}

export const importMattermost: Command = {
  usage: `Usage: parley import mattermost ARCHIVE [--dry-run] [--ids FILE] [--json] [--name NAME] [--organization SUBDOMAIN]

Create an organization from a Mattermost bulk export: the ZIP archive, its unpacked folder, or only the .jsonl file without
uploaded files. Channel messages go to the channel's general chat, and each thread becomes a topic named after its
first words.

${CONVERTING_USAGE}`,

  async run(args, terminal) {
    await convertAndImport(mattermost, args, terminal)
  },
}

export const importZulip: Command = {
  usage: `Usage: parley import zulip ARCHIVE [--dry-run] [--ids FILE] [--json] [--name NAME] [--organization SUBDOMAIN]

Create an organization from a Zulip export: the \`.tar.gz\` archive or its unpacked folder. Keeps topics and everyone's read,
starred, muted, and followed states.

${CONVERTING_USAGE}`,

  async run(args, terminal) {
    await convertAndImport(zulip, args, terminal)
  },
}
