import { mattermost } from '../converting/mattermost/read.ts'
import type { Command } from './command.ts'
import { convertAndImport, CONVERTING_USAGE } from './converting.ts'

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
