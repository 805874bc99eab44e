export declare function headingSlug(heading: string): string;
