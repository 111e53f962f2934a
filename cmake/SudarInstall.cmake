# Install and export rules
