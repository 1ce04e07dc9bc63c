//! Only on the site.
