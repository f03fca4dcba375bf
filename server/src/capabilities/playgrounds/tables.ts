import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    realm_playgrounds: {
      organization_id: number
      id: number
      name: string
      highlighter_language: string
      url_template: string
    }
  }
}
