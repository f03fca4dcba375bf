import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    realm_emoji: {
      organization_id: number
      id: number
      name: string
      author_id: number
      file: string
      is_animated: boolean
      deactivated: boolean
    }
  }
}
