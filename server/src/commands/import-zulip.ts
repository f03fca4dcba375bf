import { zulip } from '../converting/zulip/read.ts'
import type { Command } from './command.ts'
import { convertAndImport, CONVERTING_USAGE } from './converting.ts'

export const importZulip: Command = {
  usage: `Usage: parley import zulip ARCHIVE [--dry-run] [--ids FILE] [--json] [--name NAME] [--organization SUBDOMAIN]

Create an organization from a Zulip export: the \`.tar.gz\` archive or its unpacked folder. Keeps topics and everyone's read,
starred, muted, and followed states.

${CONVERTING_USAGE}`,

  async run(args, terminal) {
    await convertAndImport(zulip, args, terminal)
  },
}
