import { slack } from '../converting/slack/read.ts'
import type { Command } from './command.ts'
import { convertAndImport, CONVERTING_USAGE } from './converting.ts'

export const importSlack: Command = {
  usage: `Usage: parley import slack ARCHIVE [--dry-run] [--ids FILE] [--json] [--name NAME] [--organization SUBDOMAIN]

Create an organization from a Slack export: the ZIP archive or its unpacked folder. Channel messages go to the channel's
general chat, and each thread becomes a topic named after its first words. Everything is marked as read for everyone.

${CONVERTING_USAGE}`,

  async run(args, terminal) {
    await convertAndImport(slack, args, terminal)
  },
}
