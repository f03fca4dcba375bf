import { zulip } from '../converting/zulip/read.ts'
import type { Command } from './command.ts'
import { convertAndImport, CONVERTING_USAGE } from './converting.ts'

export const importZulip: Command = {
  usage: `Usage: parley import zulip ARCHIVE [--dry-run] [--ids FILE] [--json] [--name NAME] [--organization SUBDOMAIN]

Makes a new organization of an export of Zulip: the folder that its archive was unpacked into (\`tar -xzf\`), or a ZIP archive of it. Topics, and what
everybody has read, starred, muted and followed, are as they were.

${CONVERTING_USAGE}`,

  async run(args, terminal) {
    await convertAndImport(zulip, args, terminal)
  },
}
